/** The one owner [ROLES-16]: the account whose id is this fixed one. Nothing else makes an admin. */
export const ADMIN_ID = 'owner'

export const isAdminId = (id: string): boolean => id === ADMIN_ID
