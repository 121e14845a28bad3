const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

/** The type follows from the extension, which the shop chose by the file's content; null: not an image. */
export function contentTypeOf(path: string): string | null {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : null
}
