/* tests/windows/root.c: puts a certificate (a file of DER) into a store of the user's on Windows, or takes it
 * away: root.exe add|remove STORE FILE. */
#include <stdio.h>
#include <string.h>
#include <windows.h>
#include <wincrypt.h>

static int put(HCERTSTORE store, const BYTE *der, DWORD len)
{
  const DWORD how = CERT_STORE_ADD_REPLACE_EXISTING;
  return !CertAddEncodedCertificateToStore(store, X509_ASN_ENCODING, der, len, how, NULL);
}

static int take(HCERTSTORE store, const BYTE *der, DWORD len)
{
  const CERT_CONTEXT *wanted = CertCreateCertificateContext(X509_ASN_ENCODING, der, len);
  const CERT_CONTEXT *found =
    wanted ? CertFindCertificateInStore(store, X509_ASN_ENCODING, 0, CERT_FIND_EXISTING, wanted, NULL) : NULL;
  return !found || !CertDeleteCertificateFromStore(found);
}

int main(int argc, char **argv)
{
  static BYTE der[65536];
  wchar_t name[64];
  HCERTSTORE store;
  FILE *f = argc == 4 ? fopen(argv[3], "rb") : NULL;
  DWORD len = f ? (DWORD)fread(der, 1, sizeof der, f) : 0;
  int rc;
  if(!len || !MultiByteToWideChar(CP_UTF8, 0, argv[2], -1, name, 64))
    return 2;
  fclose(f);
  store = CertOpenStore(CERT_STORE_PROV_SYSTEM_W, 0, 0, CERT_SYSTEM_STORE_CURRENT_USER, name);
  if(!store)
    return 2;
  rc = strcmp(argv[1], "add") ? take(store, der, len) : put(store, der, len);
  if(rc)
    fprintf(stderr, "%s: error %lx\n", argv[1], (unsigned long)GetLastError());
  CertCloseStore(store, 0);
  return rc;
}
