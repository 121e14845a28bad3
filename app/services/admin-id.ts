/** The account with this fixed id is the owner; nothing else makes an admin. [ROLES-16] */
export const ADMIN_ID = 'owner'

export const isAdminId = (id: string): boolean => id === ADMIN_ID
