/* port/windows/roots.c: the root certificates that the user and the machine trust (port/roots.h). */
#include <stdlib.h>
#include <windows.h>
#include <wincrypt.h>
#include <winsock2.h>

#include "port/roots.h"
#include "port/windows/internal.h"

enum { USES_MOST = 4096 }; /* bytes of a list of uses; a root with more is left out */

/* Whether a root may vouch for servers: it says nothing of its uses, and the store says nothing either, or
 * this one is among them. */
static bool is_root_for_servers(const CERT_CONTEXT *root)
{
  union {
    CERT_ENHKEY_USAGE list;
    char room[USES_MOST];
  } uses;
  DWORD size = sizeof uses;
  SetLastError(0);
  if(!CertGetEnhancedKeyUsage(root, 0, &uses.list, &size))
    return GetLastError() == (DWORD)CRYPT_E_NOT_FOUND;
  if(!uses.list.cUsageIdentifier)
    return GetLastError() == (DWORD)CRYPT_E_NOT_FOUND;
  for(DWORD i = 0; i < uses.list.cUsageIdentifier; i++)
    if(!strcmp(uses.list.rgpszUsageIdentifier[i], szOID_PKIX_KP_SERVER_AUTH))
      return true;
  return false;
}

static bool is_excluded(HCERTSTORE excluded, const CERT_CONTEXT *root)
{
  const CERT_CONTEXT *same = !excluded ? NULL : CertFindCertificateInStore(excluded, X509_ASN_ENCODING, 0,
                                                                           CERT_FIND_EXISTING, root, NULL);
  if(!same)
    return false;
  (void)CertFreeCertificateContext(same);
  return true;
}

int mote_port_roots(bool (*fn)(void *arg, const uint8_t *der, size_t len), void *arg)
{
  const HCERTSTORE roots = CertOpenSystemStoreW(0, L"ROOT");
  const HCERTSTORE excluded = roots ? CertOpenSystemStoreW(0, L"Disallowed") : NULL;
  const CERT_CONTEXT *root = NULL;
  bool more = true;
  if(!roots)
    return mote_windows_error(GetLastError());
  while(more && (root = CertEnumCertificatesInStore(roots, root)) != NULL)
    if((root->dwCertEncodingType & X509_ASN_ENCODING) && !is_excluded(excluded, root) &&
       is_root_for_servers(root))
      more = fn(arg, root->pbCertEncoded, root->cbCertEncoded);
  if(root) /* the next step of the loop would free it */
    (void)CertFreeCertificateContext(root);
  if(excluded)
    (void)CertCloseStore(excluded, 0);
  (void)CertCloseStore(roots, 0);
  return 0;
}
