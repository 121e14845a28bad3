export const navigationTexts = {
  title: 'Manage Website',
  undelivered: 'Undelivered mail',
  groups: {
    Customers: {
      '/manage/messages/': 'Messages',
      '/manage/queue/': 'To make',
      '/manage/sales/': 'Sales',
      '/manage/reports/': 'Reports',
      '/manage/testimonials/': 'Testimonials',
      '/manage/replies/': 'Replies and alerts',
      '/manage/mail/': 'Mail',
    },
    Catalog: {
      '/manage/item/': 'Merchandise',
      '/manage/category/': 'Categories',
      '/manage/colors/': 'Colors',
      '/manage/discount/': 'Discounts',
      '/manage/import-export/': 'Import and export',
    },
    Shop: {
      '/manage/home/': 'Home page',
      '/manage/about/': 'About page',
      '/manage/history/': 'History',
      '/manage/settings/': 'Settings',
    },
  },
  counts: {
    unread: (count: number) => `${count} unread`,
    emails: (count: number) => `${count} not delivered`,
    urgent: (count: number) => `${count} to handle now`,
    testimonies: (count: number) => `${count} to review`,
  },
}

export const dashboardTexts = {
  title: (firstName: string) => (firstName ? `Welcome, ${firstName}` : 'Welcome'),
  addItem: 'Add a piece',
  messages: 'Messages',
  putOnSale: 'Put on sale',
  reports: 'Reports',
  nothingToDo: 'Nothing to do right now.',
  toDo: 'To do',
  more: (link: string, count: number) => `${link} (${count} more)`,
  unread: { title: 'Unread conversations', all: 'All messages' },
  requests: { title: 'Open requests', all: 'All requests' },
  handedOver: { title: 'Handed over, not yet sold', all: 'All pieces to make' },
  testimonials: { title: 'New testimonials', all: 'All testimonials' },
  colors: {
    title: 'Colors running low',
    all: 'All colors',
    low: 'Low on stock',
    unavailable: 'Not available',
  },
  sales: {
    title: 'Last sales',
    all: 'All sales',
    buyer: (name: string, isCancellation: boolean) =>
      `${isCancellation ? 'Cancellation, ' : ''}for ${name}`,
  },
}

export const firstStepsTexts = {
  title: 'Make it yours',
  intro: (done: number, all: number) => `${done} of ${all} steps are done.`,
  done: ' (done)',
  hide: 'Hide this list',
  etsy: 'Coming from Etsy? Bring your listings.',
  steps: {
    name: 'Name your shop and yourself',
    region: 'Choose your currency and time zone',
    contact: 'Say how customers reach you',
    texts: 'Write your own texts',
    categories: 'Give your categories pictures',
    colors: 'Add your colors',
    piece: 'Add your first piece',
    payment: 'Say how you are paid',
    email: 'Set up your mailbox',
    backup: 'Make a backup',
    recovery: 'Print recovery codes for your login',
  },
}
export type FirstStep = keyof typeof firstStepsTexts.steps

export const noticeTexts = {
  seeMail: 'See the mail',
  urgent: (titles: string[]) => `Needs attention now: ${titles.join(', ')}.`,
  seeStatus: 'How the shop is doing',
}
