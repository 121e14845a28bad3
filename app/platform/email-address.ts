import { z } from 'zod'

const Email = z.email().max(254)

export const isFitEmail = (email: string): boolean => Email.safeParse(email).success
