import {
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '#lib/auth/account-limits.ts'
import { pluralize } from '#ui/format-count.ts'

export const accountTexts = {
  title: 'Account',
  intro: 'Your profile, how you log in, and what the shop stores about you.',
  cancel: 'Cancel',
  submit: 'Submit',
}

export const ownOrdersTexts = {
  title: 'Your orders',
  intro: 'What you have requested, and what you have bought.',
  onlyHere: 'You are a guest, so this page is only in this browser. Link an account to keep it.',
  requested: {
    title: 'Requested',
    hint: 'Prices are the ones you saw when you asked. The final price is agreed in your messages.',
  },
  agreed: {
    title: 'Agreed',
    hint: 'The offers that you have accepted, with what is left to pay.',
  },
  acceptedOn: (date: string) => `Accepted on ${date}`,
  addressMissing:
    'The maker still needs the address for your package. Please enter it in the conversation.',
  nothingRequested: 'Nothing is requested at the moment.',
  since: (date: string) => `Requested on ${date}`,
  open: 'Requested',
  offered: 'An offer waits for your answer in the conversation.',
  closed: 'The order is closed. A new request opens it again.',
  conversation: 'See the conversation',
  gallery: 'Browse the gallery',
  bought: { title: 'Bought', hint: 'Your receipts, with the prices that were agreed.' },
  canceled: 'Canceled',
  papers: (receipt: string | null, invoice: string | null) =>
    [receipt && `Receipt ${receipt}`, invoice && `Invoice ${invoice}`].filter(Boolean).join(', '),
  original: 'Original price: ',
  shipping: 'Shipping',
  free: 'FREE',
  total: 'Total',
}

export const profileTexts = {
  title: 'Profile',
  hint: 'How the shop greets you, and who you are in your messages.',
  yourPhoto: 'Your photo',
  noPhoto: 'No photo yet',
  photo: 'Photo',
  savePhoto: 'Save Photo',
  removePhoto: 'Remove Photo',
  photoSaved: 'Photo saved',
  photoRemoved: 'Photo removed',
  noSpace: 'The shop cannot store any more pictures at the moment.',
  photoFailed: 'The photo could not be stored. Please try again.',
  name: 'Name',
  nameHint: (fallbackName: string) =>
    `Optional. Without a name, the shop calls you ${fallbackName}.`,
  ownerNameHint: 'Optional. Without a name, customers see the name of the shop instead.',
  saveName: 'Save Name',
  nameSaved: 'Name saved',
  invalidName: `A name has at most ${MAX_NAME_LENGTH} characters.`,
  failed: 'Unable to Update Profile',
}

export const emailTexts = {
  title: 'Email',
  hint: 'For logging in, and for emails from the shop.',
  confirmed: 'Confirmed',
  notConfirmed: 'Not confirmed yet',
  change: {
    before: 'It becomes ',
    after: (address: string) => ` once you confirm it in the email to ${address}.`,
  },
  newAddress: 'that address',
  sendVerification: 'Send Verification Email',
  keepOld: 'Keep the old one',
  changeEmail: 'Change Email',
  question: 'Change your email',
  confirmBoth: 'You confirm it in an email to each address.',
  confirmNew: 'You confirm it in an email to the new address.',
  newEmail: 'New email',
}

export const passwordTexts = {
  title: 'Password',
  hint: 'A new password logs you out everywhere else.',
  change: 'Change Password',
  set: 'Set a Password',
  current: 'Current Password',
  new: 'New Password',
  newHint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
  changed: 'Password changed',
  failed: 'Unable to Update Password',
}

export const secondFactorTexts = {
  title: 'Two-step login',
  hint: 'A code from an app on your phone, in addition to the password.',
  on: (codesLeft: number) => `Two-step login is on. Recovery codes left: ${codesLeft}.`,
  off: 'Two-step login is off.',
  change: 'Change Two-Step Login',
  setUp: 'Set Up Two-Step Login',
}

export const devicesTexts = {
  title: 'Devices',
  hint: 'Where you are logged in. If you do not recognize a device, log it out and change your password.',
  thisDevice: 'This device',
  lastSeen: (date: string, time: string) => `Last seen ${date}, ${time}`,
  loggedIn: (date: string) => `Logged in ${date}`,
  logOut: 'Log Out',
  logOutDevice: (device: string) => `Log out ${device}`,
  logOutOthers: 'Log Out All Other Devices',
  logOutOthersQuestion: 'Log out on all other devices?',
  ended: 'That device is logged out',
  alreadyEnded: 'That device was logged out already',
  othersEnded: (count: number) =>
    count === 0
      ? 'No other device is logged in'
      : `${pluralize(count, 'other device is', 'other devices are')} logged out`,
  failed: 'Something went wrong...',
}

export const ownDataTexts = {
  title: 'Your data',
  hint: 'A web page, the same data as JSON, and your pictures.',
  text: 'Everything that the shop stores about you, in one file.',
  download: 'Download my data',
}

export const deleteAccountTexts = {
  title: 'Delete account',
  hint: 'This cannot be undone.',
  owner: 'The owner’s account cannot be deleted: without it no one could run the shop.',
  text: 'This deletes your account and everything in it. You may want to download your data first.',
  deleteAccount: 'Delete my account',
  question: 'Delete your account for good?',
  deleted: 'Your account and everything in it are deleted. Take care!',
  failed: 'An Error Occured while deleting the User',
  deletedName: 'Deleted account',
}

const MAX_NAMED = 3

export const deletionSummaryTexts = {
  immediately: (data: string) => `Deleted immediately: the account with ${data}.`,
  empty: 'The account is empty and is deleted immediately.',
  favorites: (count: number) => pluralize(count, 'favorite'),
  messages: (count: number, images: number) =>
    pluralize(count, 'message') + (images > 0 ? ` with ${pluralize(images, 'picture')}` : ''),
  testimonies: (count: number) => pluralize(count, 'testimony', 'testimonies'),
  credits: (count: number) => pluralize(count, 'unused credit'),
  list: (parts: string[]) =>
    parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? ''),
  requested: (names: string[]) => {
    const more = names.length - MAX_NAMED
    return `Open requests are withdrawn: ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
  },
  agreement: (whose: 'your' | 'their') =>
    `The shop also ends ${whose} accepted offer and deletes its payment records. Settle any payment first.`,
  remaining: (purchases: number, whose: 'your' | 'their') =>
    `The shop keeps the record of ${pluralize(purchases, 'purchase')}, with the amount paid and without ${whose} name, address and photo.`,
  onInvoices: (invoices: number, years: number, whose: 'your' | 'their') =>
    `${pluralize(invoices, 'numbered invoice')} ${invoices === 1 ? 'keeps' : 'keep'} ${whose} name, address and email for ${pluralize(years, 'year')} after the year of the invoice.`,
  settleFirst:
    'If you are still waiting for an order, settle that first, because its messages are deleted, too.',
}

export const openOrderEmailTexts = {
  subject: (name: string) => `${name} deleted their account with an open order`,
  start: (name: string, email: string, shopName: string, receiptTag: string | null) =>
    `${name} (${email}) has deleted their account at ${shopName} while an order was open${receiptTag ? `, receipt ${receiptTag}` : ''}.`,
  notRequested: 'No longer requested:',
  alreadySold: 'Already sold. If you have not handed over all of it, please write to the customer:',
  offers: 'Offers that the customer accepted, with shipping, and what was paid:',
  offer: (reference: string, isCanceled: boolean, total: string, paid: string[]) =>
    `${reference}${isCanceled ? ', canceled' : ''}: ${total}. ${paid.join('. ') || 'No payment is recorded'}.`,
  end: 'The conversation has been deleted. Only this email still names the customer, so please delete it when everything is settled.',
}

export const customerDataTexts = {
  settings: 'Settings',
  title: 'Customer data',
  intro:
    'Customers can download their data and delete their account on their account page. Use this page for a customer who cannot do so, or cannot log in, and asks you. First make sure that it is really the customer: ask for an email from the address of the account.',
  email: 'Email of the account',
  find: 'Find',
  noAccount: 'No account has this email address.',
  ownAccount:
    'This is your own account, which cannot be deleted. Your data is on your account page.',
  since: (date: string, email: string) => `${email && `${email}. `}Here since ${date}.`,
  download: 'Download their data',
  downloadQuestion: 'Your password, to download their data',
  passwordLink: 'Create a link for a new password',
  passwordLinkQuestion: 'Your password, to create the link',
  linkOnce:
    'Send this link to the customer. It is shown only now, and works once, within an hour. An email tells the customer that you created it.',
  link: 'Link',
  copy: 'Copy',
  copied: 'Copied',
  deleteAccount: 'Delete this account',
  deleteQuestion: (name: string) => `Delete the account of ${name} for good?`,
  yourPassword: 'Your password',
  deleted: 'The account is deleted.',
}

export const dataExportTexts = {
  title: (shopName: string) => `Your data at ${shopName}`,
  asOf: (date: string) => `As of ${date}. The other files contain the same data for programs.`,
  account: 'Account',
  photo: 'Your profile',
  name: (name: string) => `Name: ${name}`,
  email: (email: string, isConfirmed: boolean) =>
    `Email: ${email}${isConfirmed ? '' : ' (not confirmed)'}`,
  registered: (date: string) => `Registered on ${date}`,
  wayToLogIn: (way: string, since: string) => `Log in by ${way}, since ${since}`,
  sessions: 'Where you are logged in',
  session: (since: string, address: string | null, browser: string | null) =>
    `Since ${since}${address ? `, from ${address}` : ''}${browser ? `: ${browser}` : ''}`,
  favorites: 'Favorites',
  favorite: (name: string, since: string) => `${name}, since ${since}`,
  order: 'Your order',
  pieces: (name: string, quantity: number) => (quantity === 1 ? name : `${quantity} × ${name}`),
  orderItem: (name: string, price: string, isSold: boolean) =>
    `${name}, ${price}${isSold ? ', bought' : ''}`,
  offers: 'Offers',
  offer: (names: string, total: string, state: string, shipTo: string) =>
    `${names}, ${total}, ${state.replace('-', ' ')}${shipTo && `, to be shipped to ${shipTo}`}`,
  purchases: 'Purchases',
  purchase: (name: string, paid: string, date: string, invoice: number | undefined) =>
    `${name}, ${paid}, on ${date}${invoice === undefined ? '' : `, invoice ${invoice}`}`,
  testimonies: 'Testimonies',
  unusedTicket: 'An unused testimony ticket',
  credits: 'Credits',
  credit: (code: string, amount: string, isUsed: boolean) =>
    `${amount}, code ${code}, ${isUsed ? 'used' : 'not used yet'}`,
  messages: 'Messages',
  you: 'You',
  noMessages: 'None.',
}
