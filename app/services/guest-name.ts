export const GUEST_NAME = 'Guest'

export const hasName = ({ name }: { name: string }) => name !== '' && name !== GUEST_NAME
