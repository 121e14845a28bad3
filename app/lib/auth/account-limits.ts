/** The maximum length of a name, whether the name comes from the account page or from a login provider. [S-217] */
export const MAX_NAME_LENGTH = 80

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128

/** The shop refuses a longer typed password without hashing it, because no account can have such a long password. */
export const MAX_TYPED_PASSWORD_LENGTH = 1000
