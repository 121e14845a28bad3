const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

/** Returns the content type for the extension of the path. The shop has chosen this extension by the content of the file. Returns null if the extension is not that of an image. */
export function contentTypeOf(path: string): string | null {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : null
}
