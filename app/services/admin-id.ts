/** The account with this fixed id belongs to the owner, and no other account is an admin. [ROLES-16] */
export const ADMIN_ID = 'owner'

export const isAdminId = (id: string): boolean => id === ADMIN_ID
