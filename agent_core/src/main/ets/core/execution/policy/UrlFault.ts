/** Why a URL or host is refused. The values are stable: they are the `rule` in the details of a refusal. */
export enum UrlFault {
  malformed = 'url_malformed',
  character = 'url_character',
  scheme = 'url_scheme',
  credentials = 'url_credentials',
  host = 'url_host',
  addressForm = 'url_address_form',
  port = 'url_port',
  specialName = 'url_special_name',
  notListed = 'url_not_listed',
  privateAddress = 'url_private_address',
  unresolved = 'url_unresolved',
  noResolver = 'url_no_resolver',
  redirectLimit = 'url_redirect_limit',
  redirectLoop = 'url_redirect_loop',
  redirectDowngrade = 'url_redirect_downgrade'
}

/** The sentence for a fault: says what is wrong, never which host or address it was about. */
export function urlSentence(fault: UrlFault): string {
  switch (fault) {
    case UrlFault.malformed: return 'is no complete URL with scheme and host';
    case UrlFault.character: return 'has a character that programs read in different ways; percent-encode it';
    case UrlFault.scheme: return 'has a scheme that is not allowed';
    case UrlFault.credentials: return 'must not have a user name or password';
    case UrlFault.host: return 'has no plain host name; write international names in their xn-- form';
    case UrlFault.addressForm: return 'has an IP address in an unusual form';
    case UrlFault.port: return 'has a port that is not allowed';
    case UrlFault.specialName: return 'has a host name of a local network';
    case UrlFault.notListed: return 'has a host that is not on the list of allowed hosts';
    case UrlFault.privateAddress: return 'leads to a private or special address';
    case UrlFault.unresolved: return 'has a host without an address';
    case UrlFault.noResolver: return 'has a host whose addresses cannot be checked';
    case UrlFault.redirectLimit: return 'was redirected too often';
    case UrlFault.redirectLoop: return 'is redirected in a circle';
    default: return 'is redirected to an unprotected connection';
  }
}
