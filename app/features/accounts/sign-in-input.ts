/** What registering asks of an e-mail and a password; the browser only asks that they are there (LOGIN-05). */
import { z } from 'zod'
import { isFitPassword } from '#app/platform/fit-password.server.ts'

const Email = z.email().max(254)

/** LOGIN-45, LOGIN-46: the code of the refusal, null when both will do. */
export function checkRegistration({ email, password }: { email: string; password: string }): string | null {
  if (!Email.safeParse(email).success) return 'INVALID_EMAIL'
  return isFitPassword(password, email) ? null : 'PASSWORD_TOO_SHORT'
}
