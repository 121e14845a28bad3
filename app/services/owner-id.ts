export const OWNER_ID = 'owner'

export const isOwnerId = (id: string) => id === OWNER_ID
