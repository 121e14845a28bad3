/** Huge photos are made smaller before they go out, and every picture gets a small one to be shown by; both beside the page's own thread. */

export type Shrunken = {
  /** what is sent: the smaller picture, or the file as it was chosen */
  file: Blob
  /** what the card shows; null: this browser cannot read the file (HEIC outside Safari), the shop may */
  preview: Blob | null
}

/** Rejects when `signal` ends it. A browser without the means sends and shows the file as it is. */
export function shrinkPicture(file: File, signal: AbortSignal): Promise<Shrunken> {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') return Promise.resolve({ file, preview: file })
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // One for each picture: the memory of a large photo is given back with it.
    const worker = new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' })
    const end = () => {
      worker.terminate()
      signal.removeEventListener('abort', abort)
    }
    const abort = () => {
      end()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    worker.onmessage = ({ data }: MessageEvent<Shrunken>) => {
      end()
      resolve(data)
    }
    worker.onerror = () => {
      end()
      resolve({ file, preview: null })
    }
    worker.postMessage(file)
  })
}
