/** better-auth requires a name for guests. */
export const GUEST_NAME = 'Guest'

export const hasName = ({ name }: { name: string }): boolean => name !== '' && name !== GUEST_NAME
