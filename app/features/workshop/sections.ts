/** The owner's sections (ADMIN-SHELL-01), and how the admin navigation divides them. */

export const sections = [
  ['Categories', '/manage/category/'],
  ['Colors', '/manage/colors/'],
  ['Merchandise', '/manage/item/'],
  ['Messages', '/manage/messages/'],
  ['Sales', '/manage/sales/'],
  // S-105
  ['Reports', '/manage/reports/'],
  // S-039
  ['Testimonials', '/manage/testimonials/'],
  ['Discounts', '/manage/discount/'],
  ['Mail', '/manage/mail/'],
  ['History', '/manage/history/'],
  ['Import and export', '/manage/tables/'],
  // S-180 to S-185
  ['Replies and alerts', '/manage/replies/'],
  ['Settings', '/manage/settings/'],
] as const

/** Pages that are reached from a section and have no entry of their own. */
const within: Record<string, string> = {
  '/manage/moved/': '/manage/tables/',
  '/manage/customer-data/': '/manage/settings/',
  '/manage/backups/': '/manage/settings/',
  '/manage/status/': '/manage/settings/',
}

/** ADMIN-SHELL-03: the section that an address belongs to. */
export const sectionOf = (pathname: string): string => {
  const begin = Object.keys(within).find((address) => `${pathname}/`.startsWith(address))
  const place = begin ? within[begin]! : `${pathname}/`
  return sections.find(([, to]) => place.startsWith(to))?.[0] ?? 'Manage Website'
}

/** How the list is divided, so that thirteen names are found at a glance: by whom she deals with, what she sells, and the rest. */
const divided: [title: string, addresses: string[]][] = [
  ['Customers', ['/manage/messages/', '/manage/sales/', '/manage/reports/', '/manage/testimonials/', '/manage/replies/', '/manage/mail/']],
  ['Catalog', ['/manage/item/', '/manage/category/', '/manage/colors/', '/manage/discount/', '/manage/tables/']],
]

export type Section = (typeof sections)[number]
export type SectionGroup = { title: string; sections: Section[] }

export function groupsOf(all: readonly Section[]): SectionGroup[] {
  const named = divided.map(([title, addresses]) => ({
    title,
    sections: addresses.flatMap((address) => all.filter(([, to]) => to === address)),
  }))
  const rest = all.filter((section) => !named.some((group) => group.sections.includes(section)))
  return [...named, { title: 'Shop', sections: rest }]
}
