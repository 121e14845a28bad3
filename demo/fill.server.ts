/** Fills an empty shop with the demo shop. */
import type { Shop } from '#app/platform/context.ts'

export async function fillDemoShop(_shop: Shop, _say: (line: string) => void): Promise<void> {}
