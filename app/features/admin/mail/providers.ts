/** The port says which encryption the shop uses: TLS from the start for 465, otherwise STARTTLS. */
export type MailProvider = {
  name: string
  host: string
  port: number
  domains: readonly string[]
  /** Suffixes of the provider's MX host names. They reveal who hosts a mailbox's own domain. */
  exchangers?: readonly string[]
  /** What the owner must do before the provider accepts a password from the shop. */
  advice?: string
}

export const DEFAULT_PORT = 587
export const BRIDGE_HOST = '127.0.0.1'

export function findProvider(address: string) {
  const domain = address.trim().toLowerCase().split('@').at(-1)!
  return address.includes('@')
    ? providers.find(({ domains }) => domains.includes(domain))
    : undefined
}

export const findProviderByExchangers = (names: readonly string[]) =>
  providers.find(({ exchangers = [] }) =>
    exchangers.some((end) => names.some((name) => `.${name.toLowerCase()}`.endsWith(`.${end}`))),
  )

/** Returns undefined if the server is not the one of the mailbox's provider. */
export function providerOf({ user, host }: { user: string; host: string }) {
  const provider =
    findProvider(user) ??
    providers.find(({ exchangers, host: itsHost }) => exchangers && itsHost === host)
  return provider?.host === host ? provider : undefined
}

export const guessServer = (address: string) =>
  findProvider(address)?.host ??
  `smtp.${address.includes('@') ? address.trim().split('@').at(-1) : 'example.com'}`

const twoFactor = (name: string, place: string) =>
  `${name} wants an app password: turn on two-step login, then create one ${place}.`
const ionos = (ending: string, ...exchangers: string[]): MailProvider => ({
  name: 'IONOS',
  host: `smtp.ionos.${ending}`,
  port: 465,
  domains: [],
  exchangers: [`ionos.${ending}`, ...exchangers],
})

export const providers: readonly MailProvider[] = [
  {
    name: 'Google',
    host: 'smtp.gmail.com',
    port: 465,
    domains: ['gmail.com', 'googlemail.com'],
    exchangers: ['google.com', 'googlemail.com'],
    advice: twoFactor('Google', 'at myaccount.google.com/apppasswords'),
  },
  {
    name: 'Outlook.com',
    host: 'smtp-mail.outlook.com',
    port: 587,
    domains: [
      ...['outlook.com', 'outlook.at', 'outlook.be', 'outlook.de', 'outlook.dk', 'outlook.es'],
      ...['outlook.fr', 'outlook.ie', 'outlook.it', 'outlook.pt', 'outlook.com.au'],
      ...['hotmail.com', 'hotmail.be', 'hotmail.ca', 'hotmail.co.uk', 'hotmail.de', 'hotmail.es'],
      ...['hotmail.fr', 'hotmail.it', 'hotmail.nl', 'live.com', 'live.at', 'live.be', 'live.ca'],
      ...['live.co.uk', 'live.com.au', 'live.de', 'live.dk', 'live.fr', 'live.ie', 'live.it'],
      ...['live.nl', 'live.se', 'msn.com'],
    ],
    exchangers: ['olc.protection.outlook.com'],
    advice:
      'Outlook.com wants an app password, from account.microsoft.com under Security; it no longer accepts one for every account, and then only another provider helps.',
  },
  {
    name: 'Microsoft 365',
    host: 'smtp.office365.com',
    port: 587,
    domains: [],
    exchangers: ['mail.protection.outlook.com', 'mx.microsoft'],
    advice: 'In Microsoft 365, the administrator must allow "Authenticated SMTP" for this mailbox.',
  },
  {
    name: 'Yahoo',
    host: 'smtp.mail.yahoo.com',
    port: 465,
    domains: [
      ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com', 'yahoo.ca', 'yahoo.co.in'],
      ...['yahoo.co.nz', 'yahoo.co.uk', 'yahoo.com.ar', 'yahoo.com.au', 'yahoo.com.br'],
      ...['yahoo.com.mx', 'yahoo.de', 'yahoo.es', 'yahoo.fr', 'yahoo.ie', 'yahoo.in', 'yahoo.it'],
      'yahoo.se',
    ],
    exchangers: ['yahoodns.net'],
    advice: 'Yahoo wants an app password: create one in your account under Security.',
  },
  {
    name: 'iCloud',
    host: 'smtp.mail.me.com',
    port: 587,
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchangers: ['mail.icloud.com'],
    advice: 'Apple wants an app-specific password: create one at account.apple.com.',
  },
  {
    name: 'AOL',
    host: 'smtp.aol.com',
    port: 465,
    domains: ['aol.com', 'aol.co.uk', 'aol.de', 'aol.fr', 'aim.com', 'verizon.net'],
    advice: 'AOL wants an app password: create one in your account under Security.',
  },
  {
    name: 'GMX',
    host: 'mail.gmx.net',
    port: 465,
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    advice:
      'Allow POP3 and IMAP in the settings of GMX first; with two-factor login, GMX wants an app password.',
  },
  {
    name: 'GMX',
    host: 'mail.gmx.com',
    port: 465,
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk', 'gmx.fr', 'gmx.es'],
    advice:
      'Allow POP3 and IMAP in the settings of GMX first; with two-factor login, GMX wants an app password.',
  },
  {
    name: 'WEB.DE',
    host: 'smtp.web.de',
    port: 465,
    domains: ['web.de'],
    advice:
      'Allow POP3 and IMAP in the settings of WEB.DE first; with two-factor login, WEB.DE wants an app password.',
  },
  {
    name: 'mail.com',
    host: 'smtp.mail.com',
    port: 465,
    domains: ['mail.com', 'email.com'],
    advice:
      'Allow POP3 and IMAP in the settings of mail.com first; with two-factor login, mail.com wants an app password.',
  },
  {
    name: 'T-Online',
    host: 'securesmtp.t-online.de',
    port: 465,
    domains: ['t-online.de', 'magenta.de'],
    advice:
      'T-Online wants the password for email programs ("Passwort für E-Mail-Programme"), which you set in its customer center.',
  },
  { name: 'freenet', host: 'mx.freenet.de', port: 587, domains: ['freenet.de'] },
  {
    name: 'Proton Mail',
    host: BRIDGE_HOST,
    port: 1025,
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    advice:
      'Proton Mail does not work without Proton Mail Bridge on the machine of the shop; enter the password that Bridge shows.',
  },
  {
    name: 'Proton Mail',
    host: 'smtp.protonmail.ch',
    port: 587,
    domains: [],
    exchangers: ['protonmail.ch'],
    advice: 'Proton Mail wants an SMTP token: create one in its settings under IMAP/SMTP.',
  },
  {
    name: 'Fastmail',
    host: 'smtp.fastmail.com',
    port: 465,
    domains: ['fastmail.com', 'fastmail.fm'],
    exchangers: ['messagingengine.com'],
    advice: 'Fastmail wants an app password: create one in its settings under Privacy & Security.',
  },
  {
    name: 'Zoho',
    host: 'smtp.zoho.com',
    port: 465,
    domains: ['zoho.com', 'zohomail.com'],
    advice: 'With two-factor login, Zoho wants an app password, from accounts.zoho.com.',
  },
  {
    name: 'Zoho',
    host: 'smtp.zoho.eu',
    port: 465,
    domains: ['zoho.eu', 'zohomail.eu'],
    advice: 'With two-factor login, Zoho wants an app password, from accounts.zoho.eu.',
  },
  {
    name: 'Zoho',
    host: 'smtppro.zoho.com',
    port: 465,
    domains: [],
    exchangers: ['zoho.com'],
    advice: 'With two-factor login, Zoho wants an app password, from accounts.zoho.com.',
  },
  {
    name: 'Zoho',
    host: 'smtppro.zoho.eu',
    port: 465,
    domains: [],
    exchangers: ['zoho.eu'],
    advice: 'With two-factor login, Zoho wants an app password, from accounts.zoho.eu.',
  },
  {
    name: 'Yandex',
    host: 'smtp.yandex.com',
    port: 465,
    domains: ['yandex.com', 'yandex.ru', 'yandex.com.tr', 'ya.ru'],
    exchangers: ['mx.yandex.net', 'mx.yandex.ru'],
    advice: 'Yandex wants an app password: create one at id.yandex.com under Security.',
  },
  { name: 'Orange', host: 'smtp.orange.fr', port: 465, domains: ['orange.fr', 'wanadoo.fr'] },
  { name: 'Free', host: 'smtp.free.fr', port: 465, domains: ['free.fr'] },
  { name: 'La Poste', host: 'smtp.laposte.net', port: 465, domains: ['laposte.net'] },
  {
    name: 'Libero',
    host: 'smtp.libero.it',
    port: 465,
    domains: ['libero.it', 'inwind.it', 'iol.it', 'blu.it', 'giallo.it'],
    advice: 'With two-step login, Libero wants an app password, from its security settings.',
  },
  {
    name: 'Virgilio',
    host: 'out.virgilio.it',
    port: 465,
    domains: ['virgilio.it'],
    advice: 'With two-step login, Virgilio wants an app password, from its security settings.',
  },
  {
    name: 'Aruba',
    host: 'smtps.aruba.it',
    port: 465,
    domains: ['aruba.it'],
    exchangers: ['aruba.it'],
  },
  {
    name: 'Movistar',
    host: 'smtp.telefonica.net',
    port: 587,
    domains: ['telefonica.net', 'movistar.es'],
  },
  {
    name: 'KPN',
    host: 'smtp.kpnmail.nl',
    port: 465,
    domains: ['kpnmail.nl', 'kpnplanet.nl', 'planet.nl', 'hetnet.nl'],
  },
  { name: 'Ziggo', host: 'smtp.ziggo.nl', port: 587, domains: ['ziggo.nl'] },
  {
    name: 'Onet',
    host: 'smtp.poczta.onet.pl',
    port: 465,
    domains: ['onet.pl', 'onet.eu', 'op.pl', 'vp.pl', 'poczta.onet.pl', 'spoko.pl'],
    advice: 'With two-step login, Onet wants an app password, from its account settings.',
  },
  {
    name: 'WP',
    host: 'smtp.wp.pl',
    port: 465,
    domains: ['wp.pl'],
    advice: 'Allow email programs (POP3, IMAP and SMTP) in the settings of WP first.',
  },
  {
    name: 'Interia',
    host: 'poczta.interia.pl',
    port: 465,
    domains: ['interia.pl', 'interia.eu', 'poczta.fm'],
    advice: 'Allow email programs (POP3, IMAP and SMTP) in the settings of Interia first.',
  },
  { name: 'Sapo', host: 'smtp.sapo.pt', port: 465, domains: ['sapo.pt'] },
  {
    name: 'BT',
    host: 'mail.btinternet.com',
    port: 465,
    domains: ['btinternet.com', 'btopenworld.com'],
  },
  {
    name: 'Sky',
    host: 'smtp.tools.sky.com',
    port: 465,
    domains: ['sky.com'],
    advice: 'Sky wants an app password: create one in your Sky Yahoo Mail account under Security.',
  },
  {
    name: 'Comcast',
    host: 'smtp.comcast.net',
    port: 465,
    domains: ['comcast.net'],
    advice: 'Allow third-party access in the security settings of Xfinity email first.',
  },
  {
    name: 'Strato',
    host: 'smtp.strato.de',
    port: 465,
    domains: ['strato.de'],
    exchangers: ['rzone.de'],
  },
  ionos('de', 'kundenserver.de'),
  ionos('com', '1and1.com', 'perfora.net'),
  ionos('co.uk', '1and1.co.uk'),
  ionos('fr', '1and1.fr'),
  ionos('es', '1and1.es'),
  ionos('it', '1and1.it'),
  {
    name: 'Hetzner',
    host: 'mail.your-server.de',
    port: 465,
    domains: [],
    exchangers: ['your-server.de'],
  },
]
