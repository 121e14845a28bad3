export const loginCodeTexts = {
  pageTitle: 'Login code',
  title: 'One more step',
  lead: 'Enter the six digits that your app shows, or one of your recovery codes.',
  over: 'You are not logged in.',
  login: 'Log In',
  backToLogin: 'Back to Login',
}

export const twoFactorTexts = {
  account: 'Account',
  title: 'Two-step login',
  off: 'Two-step login is off',
  offHint: (isOwner: boolean) =>
    `Anyone who knows your password can ${isOwner ? 'manage the whole shop' : 'read your messages and order in your name'}. With two-step login they also need your phone: an app on it, such as Google Authenticator, 1Password or Aegis, shows a code that changes every half minute.`,
  setUp: 'Set Up',
  setUpQuestion: 'Set up two-step login',
  on: 'Two-step login is on',
  onHint:
    'Logging in asks for your password, and then for a code of your app or one of your recovery codes.',
  codesLeft: (count: number) =>
    `${count === 1 ? '1 recovery code is left' : `${count === 0 ? 'No' : count} recovery codes are left`}. Each of them works once.`,
  newCodes: 'New Recovery Codes',
  newCodesQuestion: 'Create ten new recovery codes? The old ones will no longer work.',
  turnOff: 'Turn Off',
  turnOffQuestion: 'Turn off two-step login? Then only your password protects your account.',
}

export const twoFactorSetUpTexts = {
  title: 'Set up your app',
  qrCode: 'QR code for your app',
  scan: 'Open the app on your phone and let it scan this picture.',
  key: 'On this phone, or without a camera, enter this key in the app.',
  digits: 'Enter the six digits that the app shows. Two-step login is on only after that.',
  code: 'Code',
  turnOn: 'Turn On',
  cancel: 'Cancel',
  unnamedShop: 'Shop', // The authenticator app shows this name for a shop without a name.
}

export const twoFactorErrorTexts = {
  tooLate: 'Your login took too long, or the codes were wrong too often. Please log in again.',
  used: 'This code was used already. Please log in again with the next one.',
  emailNotConfirmed: 'Please confirm your email address on the page "Account" first.',
  changedElsewhere: 'Two-step login was changed in another window. This is its current state.',
}

export const recoveryCodesTexts = {
  title: 'Keep your recovery codes',
  hint: 'Without your phone, each of these codes lets you log in once. Print them or write them down, and keep them where only you find them.',
  onlyNow: 'They are shown only now.',
  copy: 'Copy',
  copied: 'Copied',
  print: 'Print',
  saved: 'I Have Saved Them',
}

/** `subject` is also the first sentence of the email. [S-236] */
export const userEmailTexts = {
  'turn-second-factor-on': {
    subject: 'Two-step login was turned on',
    text: 'From now on logging in asks for a code of your app as well.',
  },
  'turn-second-factor-off': {
    subject: 'Two-step login was turned off',
    text: 'From now on the password alone is enough to log in.',
  },
  'make-recovery-codes': {
    subject: 'New recovery codes were created',
    text: 'Your old recovery codes no longer work.',
  },
  'use-recovery-code': {
    subject: 'Someone used a recovery code',
    text: 'That code can no longer be used; the others can.',
  },
  'type-wrong-codes': {
    subject: 'Someone typed several wrong login codes',
    text: 'This person knows your password, but did not have a code of your app.',
  },
  'reset-owner-password': {
    subject: 'Your password was reset on the server',
    text: 'The old password no longer works, and every device was logged out.',
  },
}

type UserEmail = { name: string; subject: string; text: string; signature: string | null }

export const userEmailBody = ({ name, subject, text, signature }: UserEmail) =>
  `Hello${name ? ` ${name}` : ''},\n\n${subject}. ${text}\n\nIf this was not you, change your password immediately${
    signature === null
      ? ', and ask the person who runs the shop’s server for help.'
      : `, and reply to this email.\n\n${signature}`
  }\n`
