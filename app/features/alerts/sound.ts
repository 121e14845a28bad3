/** Two soft notes, made by the browser: no file to load. */

const NOTES = [659.25, 880]
const LENGTH = 0.45

let context: AudioContext | undefined

/** Silent where the browser lets nothing sound before the page has been pressed. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext()
  // It would wait for a press, and sound then.
  const isAwake = await Promise.race([context.resume().then(() => true), new Promise<false>((done) => setTimeout(() => done(false), 500))])
  if (!isAwake || context.state !== 'running') return
  const begin = context.currentTime
  for (const [index, note] of NOTES.entries()) {
    const at = begin + index * 0.14
    const tone = new OscillatorNode(context, { type: 'sine', frequency: note })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.16, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + LENGTH)
  }
}
