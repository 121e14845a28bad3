/** A document of the specification's section 3, as the owner downloads it (S-134). */
import { downloadDocument } from '#app/features/json-export/documents.server.ts'
import type { TestShop } from './open-test-shop.ts'

export const documentOf = async (shop: TestShop, collection: string, id: string): Promise<Record<string, unknown>> =>
  (await downloadDocument(shop, collection, id)).json() as Promise<Record<string, unknown>>
