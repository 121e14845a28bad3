/** The photo that stands beside a name. */
import { PLACEHOLDER_PHOTO } from '#app/features/orders/order.ts'
import { isOwnPath } from '#app/platform/own-path.ts'

/** S-009. A photo that lies elsewhere is none: pages show pictures of the shop alone (Content-Security-Policy). */
export const photoOf = (image: string | null): string => (image !== null && isOwnPath(image) ? image : PLACEHOLDER_PHOTO)
