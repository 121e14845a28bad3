export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Colors</h1>
    </main>
  )
}
