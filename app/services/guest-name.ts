/** All guests have this name, because better-auth requires a name. */
export const GUEST_NAME = 'Guest'

export const hasName = ({ name }: { name: string }): boolean => name !== '' && name !== GUEST_NAME
