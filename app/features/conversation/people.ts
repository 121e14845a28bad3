import type { OrderTable } from '#db/schema.ts'

export type Writer = ReturnType<typeof toWriter>
type Named = { name: string; email: string }

/** Never returns ''. [S-009] */
export const customerName = (user: Named) => user.name.trim() || user.email.split('@')[0] || 'Guest'

export const customerOf = (order: Pick<OrderTable, 'userName' | 'userEmail'>) =>
  customerName({ name: order.userName, email: order.userEmail })

/** Leaves out an unconfirmed user's name, which may be a stranger's advertisement. [S-425] */
export const greetingName = (user: Named & { emailVerified: unknown }) =>
  customerName({ name: user.emailVerified ? user.name : '', email: user.email })

export const toWriter = (
  order: Pick<OrderTable, 'id' | 'userName' | 'userEmail' | 'userPhotoURL'>,
) => ({
  id: order.id,
  name: order.userName,
  email: order.userEmail,
  photoURL: order.userPhotoURL,
})
