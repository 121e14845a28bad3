const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

/** Returns the type for the path's extension, which the shop has chosen by the content of the file. Returns null if the file is not an image. */
export function contentTypeOf(path: string): string | null {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : null
}
