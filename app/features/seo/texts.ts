export const unknownPageText = 'This page does not exist. Here is the home page.'

export const pageMetaTexts = {
  home: {
    title: (shop: string) => `${shop} — handmade macrame`,
    description: (shop: string) =>
      `${shop}: handmade macrame for your home, knotted in the colors that you choose.`,
  },
  about: {
    title: 'About',
    description: (shop: string) =>
      `The workshop behind ${shop}: how each piece of macrame is planned, knotted and finished by hand, in pictures.`,
  },
  contact: {
    title: 'Contact',
    description: (shop: string) =>
      `Write to ${shop} about a piece, a color or an idea of your own. You get an answer by email.`,
  },
  testimonials: {
    title: 'Testimonials',
    description: (shop: string) =>
      `What customers say about their pieces from ${shop}, in their own words and with links to the pieces.`,
  },
  login: {
    title: 'Login',
    description: (shop: string) =>
      `Log in to ${shop} to save favorites, request pieces and message the maker about them.`,
  },
  writeTestimony: {
    title: 'Your testimony',
    description: (shop: string) =>
      `Tell others about your piece from ${shop}, in a few words of your own.`,
  },
}

export const galleryPageTexts = {
  gallery: 'Gallery',
  page: (number: number) => `, page ${number}`,
  everything: (shop: string) =>
    `Every handmade macrame piece of ${shop}, with its colors and price.`,
  category: (category: string, shop: string) =>
    `${category}, knotted by hand by ${shop}: see every piece with its colors and price.`,
  madeToOrder: 'Macrame made to order.',
}

export const itemMetaTexts = {
  madeBy: (item: string, shop: string) => `${item}, made by hand by ${shop}.`,
  ask: 'Ask for it in the colors that you choose.',
  notFound: 'Not found',
  gone: (shop: string) => `This piece is no longer in the shop of ${shop}.`,
  seeGallery: 'See everything that is, in the gallery.',
}

export const structuredDataTexts = {
  shop: 'Macrame, knotted by hand',
  home: 'Home',
}

export const shareImageTexts = {
  shopTitle: 'Macrame, knotted by hand',
  shopLine: 'In the colors that you choose',
  categoryLine: 'Knotted by hand, in your colors',
  shopAlt: (shop: string) => `${shop}: macrame, knotted by hand`,
  categoryAlt: (category: string, shop: string) => `${category} by ${shop}`,
  itemAlt: (item: string, price: string | undefined, shop: string) =>
    `${item}, ${price}, by ${shop}`,
  sold: 'Sold',
  onHold: 'On hold',
  notFound: 'There is no such picture.',
}

export const sitemapTexts = {
  notFound: 'There is no such part.',
}

export const manifestTexts = {
  description: (shop: string) => `${shop}: macrame, knotted by hand in the colors that you choose.`,
  gallery: 'Gallery',
  contact: 'Contact',
}
