export const passwordTexts = {
  password: 'Password',
  code: 'Code of your app, or a recovery code',
}
