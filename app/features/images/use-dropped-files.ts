import { useEffect, useEffectEvent, useState, type RefObject } from 'react'

type DragState = 'near' | 'over' | null

export function useDroppedFiles(area: RefObject<HTMLElement | null>, add: (files: File[]) => void) {
  const [state, setState] = useState<DragState>(null)
  const onFiles = useEffectEvent(add)
  // The whole page listens, because the browser would open a file that is dropped beside the area.
  useEffect(() => {
    const isInside = (event: Event) =>
      event.target instanceof Node && (area.current?.contains(event.target) ?? false)
    const isClosed = () => Boolean(area.current?.closest('[inert], [hidden]'))
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files')
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      const isOver = isInside(event) && !isClosed()
      event.dataTransfer.dropEffect = isOver ? 'copy' : 'none'
      setState(isOver ? 'over' : 'near')
    }
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setState(null)
    const onDrop = (event: DragEvent) => {
      setState(null)
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      if (isInside(event) && !isClosed()) onFiles([...event.dataTransfer.files])
    }
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      // The clipboard may contain the same content as text and as an image.
      const isTextMeant = isField(event.target) && event.clipboardData?.types.includes('text/plain')
      if (files.length === 0 || isTextMeant || isClosed()) return
      event.preventDefault()
      onFiles(files)
    }
    const page = new AbortController()
    const { signal } = page
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    return () => page.abort()
  }, [area])
  return state
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
