export const MAX_NAME_LENGTH = 80

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128

export const MAX_TYPED_PASSWORD_LENGTH = 1000
