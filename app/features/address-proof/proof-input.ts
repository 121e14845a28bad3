/** What an address and a new password must be. */
import { z } from 'zod'
import { MAX_PASSWORD, MIN_PASSWORD } from './proof.ts'

const Email = z.email().max(254)
const Password = z.string().min(MIN_PASSWORD).max(MAX_PASSWORD)

export const isFitEmail = (email: string): boolean => Email.safeParse(email).success
export const isFitPassword = (password: string): boolean => Password.safeParse(password).success
