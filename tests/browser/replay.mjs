// Opens every .html and .svg of a folder, tries what a person would, and takes pictures.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, shots] = process.argv.slice(2);
const files = (await readdir(folder)).sort();
const replays = files.filter((file) => file.endsWith(".html"));
const images = files.filter((file) => /\.(svg|png|gif)$/.test(file));
assert.ok(replays.length + images.length > 0, `nothing to look at in ${folder}`);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});

/** A page that keeps what went wrong in it. */
async function open(file, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|about|blob):/.test(request.url())) wrong.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(join(folder, file)).href);
  return { page, wrong, close: () => context.close() };
}

/** Waits until what was asked for has been drawn. */
const drawn = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done()));
}));

/** A number that stands for the pixels of a canvas, and how many colours are in it. */
const pixels = (page, selector) => page.evaluate((selector) => {
  const canvas = document.querySelector(selector);
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const colors = new Set();
  let hash = 0;
  for (let i = 0; i < data.length; i += 4) {
    const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    hash = (Math.imul(hash, 31) + color) | 0;
    if (colors.size < 1000) colors.add(color);
  }
  return { hash, colors: colors.size };
}, selector);

/** How many colours there are in a picture. */
async function colorsOf(shot) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const count = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, shot.toString("base64"));
  await context.close();
  return count;
}

const view = async (page) => {
  await drawn(page);
  return (await pixels(page, "#view")).hash;
};

const desktop = { viewport: { width: 1280, height: 760 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

async function replay(file) {
  const name = basename(file, ".html");
  const { page, wrong, close } = await open(file, { ...desktop, colorScheme: "light" });
  await page.waitForFunction(() => window.kempe);
  await drawn(page);
  const frames = await page.evaluate(() => window.kempe.frames);
  assert.ok(frames > 1, "there are frames");
  assert.equal(await page.title(), await page.locator("#title").textContent(), "texts are texts");
  assert.ok((await pixels(page, "#view")).colors > 8, "the view is not blank");
  assert.equal(await page.evaluate(() => window.kempe.playing()), false);

  // Seeking.
  const start = await page.evaluate(() => window.kempe.time());
  const atStart = await view(page);
  const length = await page.evaluate(() => Number(document.getElementById("slider").max));
  const seek = (time) => page.evaluate((time) => window.kempe.seek(time), time);
  await seek(start + 0.37 * length);
  assert.ok(Math.abs(await page.evaluate(() => window.kempe.time()) - start - 0.37 * length) < 1e-9);
  const later = await view(page);
  assert.notEqual(later, atStart, "seeking moves things");
  for (const [time, end] of [[1e9, start + length], [-1e9, start], [NaN, start]]) {
    await seek(time);
    assert.ok(Math.abs(await page.evaluate(() => window.kempe.time()) - end) < 1e-6);
  }
  assert.equal(await view(page), atStart, "the same instant looks the same");

  // Where everything is, if a file beside the page says where it was.
  if (files.includes(`${name}.json`)) {
    const places = JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"));
    assert.ok(places.length > 2);
    for (const { time, bodies, joints } of places) {
      const here = await page.evaluate(([time, bodies, joints]) => {
        window.kempe.seek(time);
        const all = (count, read) => Array.from({ length: count }, (_, i) => read(i));
        return [...all(bodies, window.kempe.body), ...all(joints, window.kempe.joint)].flat(2);
      }, [time, bodies.length, joints.length]);
      [...bodies, ...joints].flat(2).forEach((value, i) => {
        assert.ok(Math.abs(value - here[i]) < 1e-4, `at ${time} s, number ${i}: ${here[i]}, not ${value}`);
      });
    }
    await page.evaluate(() => window.kempe.seek(-1e9));
  }

  // The keyboard.
  await page.locator("#view").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const two = await page.evaluate(() => window.kempe.time());
  assert.ok(two > start, "an arrow goes on");
  await page.keyboard.press("ArrowLeft");
  const one = await page.evaluate(() => window.kempe.time());
  assert.ok(one > start && one < two, "an arrow goes back");
  await page.keyboard.press("End");
  assert.ok(Math.abs(await page.evaluate(() => window.kempe.time()) - start - length) < 1e-6);
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => window.kempe.time()), start);

  // Playing and pausing, by key and by hand.
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => window.kempe.playing()), true);
  await page.waitForFunction((start) => window.kempe.time() > start + 0.02, start);
  await page.locator("#play").click();
  assert.equal(await page.evaluate(() => window.kempe.playing()), false);
  const paused = await page.evaluate(() => window.kempe.time());
  await drawn(page);
  assert.equal(await page.evaluate(() => window.kempe.time()), paused, "a pause is one");

  // The slider.
  const slider = await page.locator("#slider").boundingBox();
  await page.mouse.click(slider.x + 0.5 * slider.width, slider.y + 0.5 * slider.height);
  assert.ok(Math.abs(await page.evaluate(() => window.kempe.time()) - start - 0.5 * length) < 0.05 * length);

  // What can be shown.
  await seek(start + 0.37 * length);
  await view(page);
  for (const toggle of ["joints", "forces", "traces", "names", "ghost"]) {
    const box = page.locator(`#${toggle}`);
    if (!(await box.isVisible())) continue;
    const before = await view(page);
    await box.click();
    const after = await view(page);
    assert.notEqual(after, before, `${toggle} can be seen`);
    await box.click();
    assert.equal(await view(page), before, `${toggle} can be taken back`);
  }

  // Zoom, pan and fit.
  const fitted = await view(page);
  const place = await page.locator("#view").boundingBox();
  await page.mouse.move(place.x + 0.4 * place.width, place.y + 0.4 * place.height);
  await page.mouse.wheel(0, -300);
  const zoomed = await view(page);
  assert.notEqual(zoomed, fitted, "a wheel zooms");
  await page.mouse.down();
  await page.mouse.move(place.x + 0.5 * place.width, place.y + 0.5 * place.height, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await view(page), zoomed, "a drag moves");
  await page.locator("#fit").click();
  assert.equal(await view(page), fitted, "everything is shown again");

  // Another size.
  await page.setViewportSize({ width: 700, height: 700 });
  await drawn(page);
  const fits = await page.evaluate(() => {
    const view = document.getElementById("view");
    return view.width === view.clientWidth && view.width < 700;
  });
  assert.ok(fits, "the view follows the size of the window");
  await page.setViewportSize(desktop.viewport);
  assert.equal(await view(page), fitted, "the same size looks the same");

  // Charts and events.
  const charts = await page.locator("figure").count();
  if (charts > 0) {
    assert.ok((await pixels(page, "figure canvas")).colors > 4, "the chart is not blank");
    const values = () => page.locator("figure output").allTextContents();
    await seek(start + 0.1 * length);
    await drawn(page);
    const before = await values();
    const chart = await page.locator("figure .plot").first().boundingBox();
    await page.mouse.click(chart.x + 0.8 * chart.width, chart.y + 0.5 * chart.height);
    await drawn(page);
    assert.ok(await page.evaluate(() => window.kempe.time()) > start + 0.5 * length, "a chart seeks");
    assert.notDeepEqual(await values(), before, "the values follow");
  }
  const events = page.locator("#event-list button");
  if (await events.count() > 0) {
    await seek(start);
    await events.last().click();
    assert.ok(await page.evaluate(() => window.kempe.time()) > start, "an event seeks");
  }

  // Light and dark.
  await seek(start + 0.37 * length);
  for (const box of ["#forces", "#names"]) {
    if (await page.locator(box).isVisible()) await page.locator(box).check();
  }
  const light = await view(page);
  await page.screenshot({ path: join(shots, `${name}-light.png`) });
  await page.locator("#theme").click();
  const dark = await view(page);
  assert.notEqual(dark, light, "dark is not light");
  await page.screenshot({ path: join(shots, `${name}-dark.png`) });
  await page.locator("#theme").click();
  assert.equal(await view(page), light);
  await page.emulateMedia({ colorScheme: "dark" });
  // Chosen by hand, it stays.
  assert.equal(await view(page), light);

  // Every control says what it is.
  const silent = await page.evaluate(() => [...document.querySelectorAll("button, input, select")]
    .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length))
    .map((node) => node.id));
  assert.deepEqual(silent, []);
  assert.deepEqual(wrong, []);
  await close();

  // A phone, at night.
  const small = await open(file, { ...phone, colorScheme: "dark" });
  await small.page.waitForFunction(() => window.kempe);
  await small.page.evaluate((time) => window.kempe.seek(time), start + 0.37 * length);
  await drawn(small.page);
  const overflow = await small.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `nothing sticks out of a phone: ${overflow}`);
  const canvas = await small.page.evaluate(() => {
    const view = document.getElementById("view");
    return [view.width / view.clientWidth, getComputedStyle(document.body).backgroundColor];
  });
  assert.ok(Math.abs(canvas[0] - 2) < 0.02, "there are as many pixels as the screen has");
  assert.equal(canvas[1], "rgb(18, 22, 27)", "dark is followed");
  await small.page.locator("#play").tap();
  assert.equal(await small.page.evaluate(() => window.kempe.playing()), true, "a finger plays");
  await small.page.locator("#play").tap();
  assert.equal(await small.page.evaluate(() => window.kempe.playing()), false, "a finger pauses");
  await small.page.evaluate((time) => window.kempe.seek(time), start + 0.37 * length);
  await drawn(small.page);
  await small.page.screenshot({ path: join(shots, `${name}-phone.png`), fullPage: true });
  assert.deepEqual(small.wrong, []);
  await small.close();
}

/** An image draws something; one that follows the viewer is different at night. */
async function image(file) {
  const looks = [];
  for (const colorScheme of ["light", "dark"]) {
    const { page, wrong, close } = await open(file, { ...desktop, colorScheme });
    const size = await page.evaluate(() => {
      const shown = document.querySelector("svg, img").getBoundingClientRect();
      return [shown.width, shown.height];
    });
    assert.ok(size.every((side) => side > 20), `a size: ${size}`);
    const shot = await page.screenshot(
      file.endsWith(".svg") ? { path: join(shots, `${file}-${colorScheme}.png`) } : {},
    );
    const inside = await page.locator("svg, img").first().screenshot();
    const colors = await colorsOf(inside);
    assert.ok(colors > 8, `it is not blank: ${colors} colours`);
    looks.push(shot);
    assert.deepEqual(wrong, []);
    await close();
  }
  if (file.endsWith(".svg")) assert.ok(!looks[0].equals(looks[1]), "light and dark differ");
}

let failed = 0;
for (const file of [...replays, ...images]) {
  try {
    await (file.endsWith(".html") ? replay(file) : image(file));
    console.log(`ok     ${file}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${file}: ${error.stack}`);
  }
}
await browser.close();
console.log(`${replays.length + images.length - failed} of ${replays.length + images.length} files are sound`);
process.exit(failed ? 1 : 0);
