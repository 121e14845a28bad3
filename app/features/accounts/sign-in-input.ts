/** What registering asks of an e-mail and a password; the browser only asks that they are there (LOGIN-05). */
import { z } from 'zod'

const Email = z.email().max(254)
const Password = z.string().min(8).max(128)

/** LOGIN-45, LOGIN-46: the code of the refusal, null when both will do. */
export function checkRegistration({ email, password }: { email: string; password: string }): string | null {
  if (!Email.safeParse(email).success) return 'INVALID_EMAIL'
  return Password.safeParse(password).success ? null : 'PASSWORD_TOO_SHORT'
}
