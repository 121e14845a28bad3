import type { Role } from '#app/services/context.ts'
import { userMenuTexts } from './texts.ts'

type NamedUser = { name: string; email: string; role: Role }

/** Returns "Guest" for a guest, and otherwise the user's first name, or the part of her email address before "@" if she has no name. [NAV-33, NAV-34, S-009] */
export function greetingName({ name, email, role }: NamedUser): string {
  if (role === 'guest') return userMenuTexts.guest
  return name.trim().split(/\s+/)[0] || email.split('@')[0] || userMenuTexts.guest
}
