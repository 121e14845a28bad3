import { pluralize } from '#ui/format-count.ts'

export const mailTexts = {
  title: 'Mail',
  intro:
    'You also receive every message from the contact page by email. You and your customers receive an email about unread messages. If one cannot be delivered, the shop tries again after growing pauses and lists it here.',
  noMailServer:
    'The shop cannot send emails yet. Until you set up your mailbox below, nobody receives an email from it.',
  failing:
    'Your mailbox did not accept the last email. The shop keeps trying; a test email shows what is wrong.',
  empty: 'The outbox is empty.',
  allSent: 'The outbox is empty. All emails have been sent.',
  states: {
    failed: 'Could not be delivered',
    waiting: 'Waiting for the next try',
    'under-way': 'Being sent just now',
  },
  to: 'To',
  answerTo: 'Answer to',
  writtenAt: 'Written',
  attempts: 'Tries',
  attemptCount: (attempts: number) =>
    ['Not tried yet', 'Tried once', 'Tried twice'][attempts] ?? `Tried ${attempts} times`,
  nextAttempt: (moment: string) => `, next ${moment}`,
  error: 'Why',
  read: 'Read the email',
  tryAgain: 'Try again',
  cancel: 'Give up',
  cancelQuestion: 'Cancel this email? It will not be sent.',
  cancelVerification: 'The customer can request it again.',
  cancelNotice: 'The change that it reports was made anyway.',
  cancelMessage: 'The message itself stays in your conversations.',
  written: (count: number) =>
    `${pluralize(count, 'email was', 'emails were')} written as ${count === 1 ? 'a file' : 'files'} in the last 30 days, because no mailbox was set up.`,
  sent: (count: number) =>
    `${pluralize(count, 'email has', 'emails have')} been sent in the last 30 days.`,
  delivered: 'The email has been delivered.',
  notYet: 'The email could not be delivered yet.',
  gone: 'This email was sent already, or is being sent.',
  canceled: 'The email was canceled. Its message stays in the conversations.',
}
export type EmailState = keyof typeof mailTexts.states

export const mailboxTexts = {
  title: 'Your mailbox',
  intro: 'The shop sends its emails through your own mailbox. The password is stored encrypted.',
  fromEnvironment:
    'The person who runs the server has set up a mail server. A mailbox that you enter here replaces it.',
  fields: {
    host: 'Mail server',
    port: 'Port',
    user: 'Email address of the mailbox',
    password: 'Password of the mailbox',
    ownPassword: 'Your password for this shop',
  },
  hints: {
    host: 'For example smtp.example.com',
    port: '465 encrypts with TLS, 587 with STARTTLS',
    user: 'Or the user name, if your provider gave you another one',
    password: 'Many providers want an app password here, not your usual one.',
    ownPassword: 'The one that you log in with. Nobody else can change where your emails go.',
    keepPassword: 'Leave it empty to keep the stored one.',
  },
  continue: 'Continue',
  searching: 'The shop is looking for your provider …',
  settingsOf: (name: string, host: string, port: string) =>
    `Settings of ${name}: ${host}, port ${port} with ${port === '465' ? 'TLS' : 'STARTTLS'}.`,
  unknownProvider: (server: string) =>
    `The shop does not know this provider. Its help pages call these the settings for outgoing mail, or SMTP: usually ${server}, 587 with STARTTLS or 465 with TLS.`,
  save: 'Save mailbox',
  saving: 'The shop is logging in to your mailbox …',
  test: 'Send me a test email',
  remove: 'Remove mailbox',
  removeQuestion: 'Remove your mailbox? The shop then cannot send emails with it.',
  saved: 'Your mailbox works and is saved.',
  removed: 'Your mailbox was removed.',
  noMailbox: 'Please set up your mailbox first.',
  testSent: (to: string) => `A test email was sent to ${to}.`,
  testFailed: (reason: string) => `The test email could not be sent. ${reason}`,
  testEmail: (shop: string) => ({
    subject: `Test email from ${shop}`,
    text: `This is a test email from ${shop}. Your mailbox works: customers receive the emails of your shop.\n`,
  }),
  errors: {
    host: 'Please enter the name of the mail server, such as smtp.example.com',
    port: 'Please enter a port from 1 to 65535, usually 465 or 587',
    user: 'Please enter the email address of your mailbox',
    password: 'Please enter the password',
    noOwnPassword: 'Please enter the password that you log in with',
    ownPassword: 'This is not the password that you log in with',
    longPassword: 'Please keep the password under 1,000 characters',
  },
  advice: {
    login: 'Most providers want an app password here, not your usual one.',
    server: (server: string) =>
      `Check the server and the port with your provider: usually ${server}, 587 with STARTTLS or 465 with TLS.`,
    encryption: 'Please try 465 or 587.',
  },
}

export function undeliveredText({ failed, waiting }: { failed: number; waiting: number }) {
  if (failed > 0) return `${pluralize(failed, 'email')} could not be delivered.`
  return waiting > 0
    ? `${pluralize(waiting, 'email')} could not be delivered yet; the shop keeps trying.`
    : null
}
