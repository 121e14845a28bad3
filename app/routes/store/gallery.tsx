export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Gallery</h1>
    </main>
  )
}
