/** What an e-mail address must be, wherever one is chosen. */
import { z } from 'zod'

const Email = z.email().max(254)

export const isFitEmail = (email: string): boolean => Email.safeParse(email).success
