/** Whose conversation it is. */
import type { User } from '#app/platform/context.ts'

/** ROLES-13, S-001: everyone but the owner reaches their own conversation only. */
export const mayUse = (user: Pick<User, 'id' | 'role'>, orderId: string): boolean => user.role === 'admin' || user.id === orderId
