/** How the shop speaks to who is signed in. */
import type { Role } from '#app/platform/context.ts'

export type Greeted = { name: string; email: string; role: Role }

/** NAV-33, NAV-34, S-009: the first name; without a name the part of the e-mail before "@"; "Guest" for guests. */
export function firstNameOf({ name, email, role }: Greeted): string {
  if (role === 'guest') return 'Guest'
  return name.trim().split(/\s+/)[0] || email.split('@')[0] || 'Guest'
}

/** S-003: the warning of NAV-40, for guests only. */
export const GUEST_WARNING = 'Guests lose all their data on logout: favorites, messages and requests.'
