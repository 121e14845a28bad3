import type { ContactField, ContactForm, Tab } from './contact.ts'

export const contactPageTexts = {
  title: 'Contact',
  intro: 'Ask for a color, a size, or something that does not exist yet.',
  tabs: 'Ways to reach us',
  qrCode: 'QR code',
  qrCodeOf: (page: string) => `QR code of our ${page} page`,
  qrHint: 'Point the camera of your phone at it.',
  news: 'New pieces and work in progress.',
  beside: 'Before you write',
  mention: 'Good to mention',
  businessCard: 'Business card',
  saveCard: 'Save to my contacts',
}

export const tabTexts: Record<Tab, string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  mail: 'Mail',
  phone: 'Phone',
}

export const contactFormTexts = {
  title: (shop: string) => `Write to ${shop}`,
  fields: {
    name: 'Name',
    email: 'Email Address',
    phone: 'Phone',
    message: 'Message',
  } satisfies Record<ContactField, string>,
  phoneHint: '10 or 11 digits, with or without spaces and dashes',
  honeypot: 'Website',
  submit: 'Submit',
  unsent: 'Your message was not sent and is still here. Press Submit again when you are online.',
}

/** The specification prescribes the first seven texts. */
export const contactTexts = {
  noName: 'Please provide a name',
  noEmail: 'Please provide a valid Email',
  noPhone: 'Please provide a valid Phone Number',
  noMessage: 'Please provide a short Message',
  sent: 'Your Mail Have been sent!',
  notSent: 'There was an error sending your mail',
  notStored: 'An Error Occured while updating database.',
  saved: 'Your message has been saved.',
  longName: (most: number) => `Please provide a name of at most ${most} characters`,
  tooLong: 'Please keep the message under 10,000 characters',
  tooFast: 'That was very quick. Please wait a moment and press Submit again.',
  tooOld: 'This page has been open for a long time. Please press Submit again.',
  unsure: 'We could not verify that a person wrote this. Please press Submit again.',
}

export const contactNotes = {
  sent: 'Thanks for writing. I will reply by email.',
  notSent: 'Your message is saved and will be read. There is no need to send it again.',
}

export const contactEmailTexts = {
  subject: (name: string) => `Message from ${name}`,
  body: ({ name, email, phone, message }: ContactForm) =>
    `Name: ${name}\nEmail: ${email}\nPhone: ${phone}\n\nMessage:\n${message}\n`,
}
