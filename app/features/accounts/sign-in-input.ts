/** What registering asks of an e-mail and a password; the browser only asks that they are there (LOGIN-05). */
import { isFitEmail } from '#app/features/address-proof/proof-input.ts'
import { faultOfPassword } from '#app/platform/fit-password.server.ts'

/** LOGIN-45, LOGIN-46, S-243: the code of the refusal and what may help, null when both will do. */
export function checkRegistration({ email, password }: { email: string; password: string }): { code: string; help?: string } | null {
  if (!isFitEmail(email)) return { code: 'INVALID_EMAIL' }
  const help = faultOfPassword(password, email)
  return help === null ? null : { code: 'PASSWORD_TOO_SHORT', help }
}
