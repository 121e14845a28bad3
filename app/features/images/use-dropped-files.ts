import { useEffect, useEffectEvent, useState, type RefObject } from 'react'

type DragState = 'near' | 'over' | null

export function useDroppedFiles(
  area: RefObject<HTMLElement | null>,
  add: (files: File[]) => void,
): DragState {
  const [held, setHeld] = useState<DragState>(null)
  const given = useEffectEvent(add)
  // The listeners are on the whole page. Otherwise the browser would leave the page and open a file that is dropped beside the drop area.
  useEffect(() => {
    const isInside = (event: Event) =>
      event.target instanceof Node && (area.current?.contains(event.target) ?? false)
    const isTaken = (event: Event) => isInside(event) && !area.current?.closest('[inert], [hidden]')
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const isOver = isTaken(event)
      event.dataTransfer.dropEffect = isOver ? 'copy' : 'none'
      setHeld(isOver ? 'over' : 'near')
    }
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setHeld(null)
    const onDrop = (event: DragEvent) => {
      setHeld(null)
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (isTaken(event)) given([...event.dataTransfer.files])
    }
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      // The clipboard may contain the same content both as text and as an image. In a text field, the user wants to paste the text.
      const areWordsMeant =
        isField(event.target) && event.clipboardData?.types.includes('text/plain')
      if (files.length === 0 || areWordsMeant || area.current?.closest('[inert], [hidden]')) return
      event.preventDefault()
      given(files)
    }
    const page = new AbortController()
    const { signal } = page
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    return () => page.abort()
  }, [area])
  return held
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
