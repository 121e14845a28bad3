/** The owner's sections, in the order of the admin navigation (ADMIN-SHELL-01). */

export const sections = [
  ['Categories', '/manage/category/'],
  ['Colors', '/manage/colors/'],
  ['Merchandise', '/manage/item/'],
  ['Messages', '/manage/messages/'],
  ['Sales', '/manage/sales/'],
  // S-039
  ['Testimonials', '/manage/testimonials/'],
  ['Discounts', '/manage/discount/'],
  ['Mail', '/manage/mail/'],
  ['History', '/manage/history/'],
  ['Settings', '/manage/settings/'],
] as const

/** ADMIN-SHELL-03: the section that an address belongs to. */
export const sectionOf = (pathname: string): string => sections.find(([, to]) => `${pathname}/`.startsWith(to))?.[0] ?? 'Manage Website'
