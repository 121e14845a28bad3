/** One try to sign in with a provider: what it is for, how it may fail, and what the window that began it is told. */

/** login: into an account, an existing one or a new one; link: a guest keeps what is hers; prove: it is still she, in place of a password. */
const purposes = ['login', 'link', 'prove'] as const
export type Purpose = (typeof purposes)[number]

/** `popup` names the channel to the page that opened it; empty: there is no popup. `userId` is who began it; empty: nobody was signed in. */
export type Try = { purpose: Purpose; popup: string; userId: string }

/** LOGIN-56, S-018: the text of every failure. */
export const PROVIDER_ERROR = 'An Error has Occured...'

/** S-207: what may help, below that text. Cancelled: whoever closed the window knows. */
const help = {
  cancelled: () => '',
  failed: () => 'The sign-in was not finished. Please try it again.',
  unreachable: (name: string) => `${name} does not answer at the moment. The other ways in are open.`,
  unverified: (name: string) =>
    `${name} has not confirmed that this e-mail address is yours. Confirm it there, or register here with a password.`,
  taken: () =>
    'An account with this e-mail address exists already. Please log in with its password, or choose a new one by "Forgot your password?".',
  owner: () => 'This account is opened with its password only.',
  other: () => 'That was another account than yours.',
  busy: () => 'Too many tries. Please wait a few minutes and try again.',
} satisfies Record<string, (name: string) => string>
export type Reason = keyof typeof help
export const isReason = (text: string): text is Reason => Object.hasOwn(help, text)
export const helpFor = (reason: Reason, name: string): string => help[reason](name)

/** What became of the last try without a popup. */
export type Failed = { provider: string; reason: Reason }

/** From the popup to the page that opened it. */
export type Told = { ok: true; to: string } | { ok: false; reason: Reason; to: string }
export const channelOf = (popup: string) => `sign-in-${popup}`

const isPurpose = (text: string): text is Purpose => purposes.some((purpose) => purpose === text)

/** What a form or the kept address of a try says; anything else is a plain login. */
export function readTry(fields: { get: (name: string) => unknown }): Omit<Try, 'userId'> {
  const [purpose, popup] = [String(fields.get('purpose') ?? ''), String(fields.get('popup') ?? '')]
  return { purpose: isPurpose(purpose) ? purpose : 'login', popup: /^[\w-]{1,40}$/.test(popup) ? popup : '' }
}
