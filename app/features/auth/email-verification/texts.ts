import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#lib/auth/account-limits.ts'

const emailSent = (email: string) => `An email is on its way to ${email}.`

export const verificationTexts = {
  code: 'Code',
  codeInEmail: 'The code is in the email.',
  badCode: 'Code is Invalid',
  notUpdated: 'Unable to Update Email',
  notSent: 'Unable to Send Verification Email',
  wasVerified: 'Your email is already confirmed.',
}

export const emailRequestResults = {
  noAddress: 'That is not an email address.',
  sameEmail: 'That is your email already.',
  otherEmail: 'Please try another address, or try again later.',
  sent: emailSent,
  sentToOld: (email: string) => `An email is on its way to ${email}. Please confirm there first.`,
  cancelled: 'Your email stays the same.',
  cannotSend:
    'This shop cannot send emails at the moment, so your new address cannot be confirmed.',
}

export const confirmPageTexts = {
  title: 'Confirm Email',
  changeQuestion: {
    before: (shopName: string) => `Change the email of your account at ${shopName} from `,
    between: ' to ',
    after: '?',
  },
  verifyQuestion: {
    before: (shopName: string) => `An account at ${shopName} uses the email `,
    after: '. Is it yours?',
  },
  newEmailQuestion: {
    before: (shopName: string) => `An account at ${shopName} will use the email `,
    after: '. Is it yours?',
  },
  needsPassword:
    'You are not logged in to this account here. If the email is yours, choose a new password. All devices are then logged out, so that nobody who typed your email by mistake can use the account.',
  confirm: 'Confirm',
  notMine: 'This is not my account',
  sendAnother: 'Send me another email',
  verified: 'Your email is confirmed. Thank you!',
  passwordSet: 'Your new password is set. Please log in with it.',
  nextEmail: (newEmail: string) =>
    `${emailSent(newEmail)} Confirm it there to use it for your account.`,
  changed: (newEmail: string) =>
    `Your email has been changed. From now on you log in with ${newEmail}.`,
  toShop: 'To the shop',
}

export const resetPageTexts = {
  title: 'Reset Password',
  intro: 'Enter your email, and we will send you a code for a new password.',
  sendCode: 'Send Code',
  haveCode: 'I have a code',
  backToLogin: 'Back to Login',
  // The text must not reveal who has an account.
  sent: {
    before: 'If ',
    after:
      ' has an account here, an email with a code is on its way. The code works once, within an hour.',
  },
  choose: 'Choose a new password. All devices are logged out.',
  email: 'Email',
  newPassword: 'New password',
  passwordHint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
  changePassword: 'Change Password',
  sendNewCode: 'Send a new code',
  sendMeCode: 'Send me a code',
  unavailable:
    'This shop cannot send emails at the moment, so it cannot send you a code. Please ask the owner for a link for a new password:',
  owner:
    'If this is your own shop: the command “npm run admin -- reset-password” on its server prints a new password.',
  contactPage: 'Write a message',
  done: 'Your password has been changed, and every device has been logged out. Please log in with the new one.',
  login: 'Log In',
}

type VerificationEmail = { email: string; newEmail: string; shopName: string }

export const verificationEmailTexts = {
  reset: ({ email, shopName }: VerificationEmail) => ({
    subject: `A new password for ${shopName}`,
    why: `Someone, hopefully you, requested a new password for ${email} at ${shopName}. Choose it here:`,
    until:
      'The code works once, within an hour. If you did not request it, ignore this email; your password stays the same.',
  }),
  verify: ({ email, shopName }: VerificationEmail) => ({
    subject: `Please confirm your email for ${shopName}`,
    why: `There is an account at ${shopName} with the email ${email}. If it is yours, please confirm it here:`,
    until:
      'The code works once, within three days. Where you are not logged in, you also choose a new password, and every device is logged out. If you did not create this account and do not want it, ignore this email.',
  }),
  'change-old': ({ email, newEmail, shopName }: VerificationEmail) => ({
    subject: `Change the email of your account at ${shopName}?`,
    why: `Someone, hopefully you, asked to change the email of your account at ${shopName} from ${email} to ${newEmail}. If that was you, please confirm it here:`,
    until: `The code works once, within a day. We then send another email to ${newEmail}; the address changes when you have confirmed that one, too. If it was not you, do not confirm, and choose a new password, because someone else knows yours.`,
  }),
  'change-new': ({ newEmail, shopName }: VerificationEmail) => ({
    subject: `Please confirm your new email for ${shopName}`,
    why: `Someone, hopefully you, asked to use ${newEmail} for an account at ${shopName}. If it is your account, please confirm the address here:`,
    until:
      'The code works once, within a day. Where you are not logged in, you also choose a new password, and every device is logged out. If it is not your account, ignore this email; the account does not get your address.',
  }),
}

export const accountEmailTexts = {
  hello: 'Hello,',
  link: (url: string, page: string, code: string) =>
    `${url}\n\nIf the link does not open, go to ${page} and enter this code:\n\n  ${code}`,
  codeOnly: (shopName: string, path: string, code: string) =>
    `Open ${shopName}, go to the page ${path} and enter this code:\n\n  ${code}`,
}

type SecurityEmail = { email: string; shopName: string; name: string; resetUrl: string | null }

const whereToReset = (url: string | null) =>
  url ? `:\n\n${url}` : ' on the login page, "Forgot your password?".'

export const securityEmailTexts = {
  password: ({ email, shopName, resetUrl }: SecurityEmail) => ({
    subject: `Your password for ${shopName} was changed`,
    what: `the password of ${email} at ${shopName} was just changed, and everyone who was logged in with the old one has been logged out.`,
    otherwise: `If it was not you, choose a new one immediately${whereToReset(resetUrl)}`,
  }),
  link: ({ email, shopName }: SecurityEmail) => ({
    subject: `A link for a new password at ${shopName}`,
    what: `the owner of ${shopName} has just created a link with which the password of ${email} can be changed. It works once, within an hour.`,
    otherwise: 'If you did not ask for it, please reply to this email.',
  }),
  device: ({ email, shopName, name, resetUrl }: SecurityEmail) => ({
    subject: `New login to your account at ${shopName}`,
    what: `someone has just logged in to the account of ${email} at ${shopName} with ${name}. Nobody has logged in to it on this device before.`,
    otherwise: `If it was not you, choose a new password immediately${whereToReset(resetUrl)}`,
  }),
  unlinked: ({ email, shopName, name }: SecurityEmail) => ({
    subject: `Your account at ${shopName} can no longer be used with ${name}`,
    what: `the login with ${name} was removed from the account of ${email} at ${shopName}, and every other device was logged out.`,
    otherwise: 'If it was not you, please reply to this email.',
  }),
  email: ({ email, shopName }: SecurityEmail) => ({
    subject: `Your email for ${shopName} was changed`,
    what: `your account at ${shopName} no longer has the email ${email}; emails go to the new one from now on.`,
    otherwise: 'If it was not you, please reply to this email.',
  }),
  provider: ({ email, shopName, name }: SecurityEmail) => ({
    subject: `Your account at ${shopName} can now be used with ${name}`,
    what: `someone has just logged in to the account of ${email} at ${shopName} with ${name}, which has confirmed that address. From now on you can log in that way, too.`,
    otherwise: `If it was not you, someone else has a ${name} account with your address: please reply to this email.`,
  }),
}
