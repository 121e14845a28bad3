/** Some texts are exact texts of the specification, with its misspellings. */

export const providerTexts = {
  title: 'Other ways to log in',
  hint: 'Whoever has one of these accounts can log in to yours.',
  unlink: (name: string) => `Remove ${name}`,
  unlinkQuestion: (name: string) =>
    `Remove the login with ${name}? Every other device is logged out.`,
  unlinked: 'Removed. Every other device is logged out.',
  unlinkFailed: 'This is the only way to log in to your account. Please set a password first.',
  logIn: (provider: string) => `Log In with ${provider}`,
  logInAgain: (provider: string) => `Log In with ${provider} Again`,
  error: 'An Error has Occured...',
}

export const providerPageTexts = {
  goingTo: (provider: string) => `Going to ${provider} …`,
  continueTo: {
    before: 'If nothing happens, ',
    link: (provider: string) => `continue to ${provider}`,
  },
  theShop: 'the shop',
  signedIn: 'You are logged in',
  closeWindow: 'You can close this window',
  continueToShop: 'Continue to the shop',
}

export const providerHelpTexts = {
  cancelled: () => '',
  failed: () => 'The login was not completed. Please try again.',
  unreachable: (name: string) =>
    `${name} does not respond at the moment. You can log in another way.`,
  unverified: (name: string) =>
    `${name} has not confirmed that this email address is yours. Confirm it there, or register here with a password.`,
  taken: () =>
    'An account with this email address already exists. Please log in with its password, or choose a new one with "Forgot your password?".',
  twoStep: () => 'This account has two-step login. Please log in with its password and a code.',
  owner: () => 'You can log in to this account with its password only.',
  other: () => 'That is not your account.',
  busy: () => 'Too many tries. Please wait a few minutes and try again.',
} satisfies Record<string, (name: string) => string>
