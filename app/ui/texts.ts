export const offlineTexts = {
  offline: 'You are offline.',
  away: 'The shop cannot be reached just now.',
  calm: 'Nothing you typed is lost. This page continues when the connection is back.',
  back: 'Back online',
  later: 'The page opens when the connection is back.',
  notSent: 'Not sent: no connection. What you typed is still here.',
  failed: 'That did not work. Please try again.',
}

export const frameTexts = {
  skip: 'Skip to the content',
  navigation: 'Shop',
  testimonials: 'Testimonials',
  gallery: 'Gallery',
  contact: 'Contact',
  about: 'About',
  login: 'Login | Register',
  menu: 'Menu',
  darkTheme: 'Dark theme',
  changeTheme: 'Change',
  terms: 'Terms and Conditions',
  copyright: (shop: string) => `© 2023 ${shop}`,
  backToTop: 'Back to Top',
}

export const errorTexts = {
  title: 'Something went wrong',
  refused: 'The page could not be shown.',
  failed: 'The page could not be shown: could not fetch data.',
  nothingLost: ' Nothing of yours is lost.',
  home: 'Back to the shop',
  again: 'Try again',
}

export const carouselTexts = {
  slide: (number: number, count: number) => `${number} of ${count}`,
}

export const notSavedText = 'The shop could not save it. Please try again.'
