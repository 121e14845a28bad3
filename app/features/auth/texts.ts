/** Some texts are exact texts of the specification, with its misspellings. */
import { MAX_NAME_LENGTH } from '#lib/auth/account-limits.ts'
import { pluralize } from '#ui/format-count.ts'

export const userMenuTexts = {
  unread: (count: number) =>
    count === 0 ? 'No unread messages' : pluralize(count, 'unread message'),
  account: 'Your account',
  greeting: (name: string) => `Hello, ${name}`,
  guest: 'Guest',
  manage: 'Manage Website',
  messages: 'Messages',
  guestWarning: 'Guests lose all their data on logout: favorites, messages and requests.',
  linkAccount: 'Link Guest Account',
  orders: 'Your orders',
  accountPage: 'Account',
  logout: 'Logout',
  logoutQuestion:
    'Log out and lose all your data? To keep it, choose “No” and then “Link Guest Account”.',
}

export const loginLeads = {
  toOrder: 'To order: log in, register, or continue as a guest.',
  other: 'Save favorites and message the maker.',
}

export const loginTexts = {
  title: 'Login',
  password: 'Password',
  forgotPassword: 'Forgot your password?',
  name: 'Your name (optional)',
  nameHint: 'For a new account',
  login: 'Log In',
  register: 'Register',
  or: 'or',
  guest: 'Log In Anonymously',
}

export const loginErrorTexts = {
  missingUser: 'User not Found',
  other: '',
  noMatch: 'Email and password do not match.',
  longName: `A name has at most ${MAX_NAME_LENGTH} characters.`,
  weakPassword: 'Password is too weak!',
  invalidEmail: 'Please provide a valid Email.',
  staleLogin: 'Please log in again first: your last login is more than 10 minutes ago.',
}

export const loginResults = {
  emailTaken:
    'This email is already associated with an account. Please login to that account instead.',
  notRegistered: 'Invalid Email or Password: ',
  guestFailed: 'An Error has Occured...',
  invalidCredentials: 'Invalid Credentials',
  alreadyLoggedIn: ({ role, email }: { role: string; email: string }) =>
    role === 'guest'
      ? 'You are already logged in as a guest'
      : `You are already logged in as ${email}`,
  backAtItem: 'You are logged in, and back at your piece.',
  logoutFailed: 'Something went wrong...',
}

export const deviceTexts = {
  unknownBrowser: 'Unknown browser',
  onSystem: (browser: string, system: string) => `${browser} on ${system}`,
}
