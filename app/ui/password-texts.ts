/** The labels of the fields that ask for the password and the two-factor code again. Home does not load this file. */
export const passwordTexts = {
  password: 'Password',
  code: 'Code of your app, or a recovery code',
}
