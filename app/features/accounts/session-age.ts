/** How long a session may go on, however often it is used (003). */
import type { Role } from '#app/platform/context.ts'

const DAY = 24 * 60 * 60_000

/** In milliseconds. A guest has nothing to log in with again, and would lose everything. */
const longest: Record<Role, number> = { admin: 30 * DAY, customer: 180 * DAY, guest: Infinity }

/** By when it was last renewed, within the hour; what is not used any more expires by itself. */
export const isTooOld = (session: { createdAt: Date; updatedAt: Date }, role: Role): boolean =>
  session.updatedAt.getTime() - session.createdAt.getTime() > longest[role]
