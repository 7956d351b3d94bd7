"""The configuration of dovecot in the two formats that it has had: that of 2.3, which Debian 12 has, and that of 2.4, which
Debian 13 has and which takes none of 2.3's files. Both say the same, and so the tests need not ask for the version."""

import subprocess

NEW_FORMAT = (2, 4)  # the version that brought it
LOGIN_WORD = ("Login", "Logged in")  # in the log, by the old and the new

# names that have not changed
BOTH = """
base_dir = {d}/run
state_dir = {d}/state
log_path = {d}/dovecot.log
protocols = imap pop3 submission
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
ssl = yes
auth_ssl_username_from_cert = {verify}
auth_ssl_require_client_cert = {verify}
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
auth_username_chars =
auth_gssapi_hostname = "$ALL"
auth_krb5_keytab = {d}/keytab
mail_log_prefix = ""
mail_max_userip_connections = 100
login_trusted_networks =
submission_host = 127.0.0.1
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
submission_relay_trusted = yes
hostname = mote.test
service auth {{
  chroot =
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""

OLD = """
ssl_cert = <{d}/server.pem
ssl_key = <{d}/server.key
ssl_ca = <{d}/ca.pem
ssl_dh =
ssl_verify_client_cert = {verify}
ssl_require_crl = no
disable_plaintext_auth = no
mail_location = maildir:~/mail
import_environment = KRB5_CONFIG KRB5RCACHENAME
passdb {{
  driver = oauth2
  mechanisms = oauthbearer xoauth2
  args = {d}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  args = {d}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={d}/home/%u allow_all_users=yes
}}
"""

OLD_OAUTH2 = """
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={d}/keys/
username_attribute = sub
"""

NEW = """
ssl_server_cert_file = {d}/server.pem
ssl_server_key_file = {d}/server.key
ssl_server_ca_file = {d}/ca.pem
ssl_server_request_client_cert = {verify}
ssl_server_require_crl = no
auth_allow_cleartext = yes
auth_allow_weak_schemes = yes
mail_driver = maildir
mail_path = ~/mail
import_environment {{
  KRB5_CONFIG = %{{env:KRB5_CONFIG}}
  KRB5RCACHENAME = %{{env:KRB5RCACHENAME}}
}}
oauth2 {{
  introspection_mode = local
  username_attribute = sub
  oauth2_local_validation {{
    dict fs {{
      fs posix {{
        prefix = {d}/keys/
      }}
    }}
  }}
}}
passdb passwd-file {{
  passwd_file_path = {d}/users
}}
userdb static {{
  static_allow_all_users = yes
  fields {{
    uid = {uid}
    gid = {gid}
    home = {d}/home/%{{user}}
  }}
}}
"""

LOGIN = """
service {name}-login {{
  chroot =
  {endless}
  inet_listener {name} {{
    port = {plain}
  }}
  inet_listener {name}s {{
    port = {secured}
    ssl = yes
  }}
}}
"""


def version(program):
    """(2, 4) of 2.4.1."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(n) for n in said.split(".")[:2])


def files(number, logins, **values):
    """{name: text} of what is put into the folder d, for this version. logins: (name of the service, its port, its port
    with TLS)."""
    new = number >= NEW_FORMAT
    endless = "restart_request_count = unlimited" if new else "service_count = 0"
    services = "".join(LOGIN.format(name=name, endless=endless, plain=plain, secured=secured)
                       for name, plain, secured in logins)
    if not new:
        return {"dovecot.conf": (BOTH + OLD).format(**values) + services, "oauth2.conf": OLD_OAUTH2.format(**values)}
    first = "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0\n"
    return {"dovecot.conf": first + (BOTH + NEW).format(**values) + services}
