#!/usr/bin/env python3
"""Andrews' squeezing mechanism by scipy's solvers, to set beside `--example reference`.

Needs numpy and scipy. All coordinates of Hairer's and Wanner's form, index 1: accelerations and
multipliers from one linear system of 13 equations. Prints the error of beta at 0.03 s and the time.
"""
import time

import numpy as np
from scipy.integrate import solve_ivp

m1, m2, m3, m4, m5, m6, m7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498
i1, i2, i3, i4, i5, i6, i7 = 2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
xb, yb, xc, yc, c0, l0, mom = -0.03635, 0.03273, 0.014, 0.072, 4530.0, 0.07785, 0.033
d, da, e, ea, rr, ra, ss, sa, sb = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043
sc, sd, ta, tb, u, ua, ub = 0.018, 0.02, 0.02308, 0.00916, 0.04, 0.01228, 0.00449
zf, zt, fa = 0.02, 0.04, 0.01421
START = [-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885,
         0.487364979543842550, -0.222668390165885885, 1.23054744454982119]
EXACT = 15.810771195153707178


def rate(_, y):
    be, th, ga, ph, de, om, ep = y[:7]
    bp, tp, gp, pp, dp, op, qp = y[7:]
    sbe, cbe, sth, cth, sga, cga = np.sin(be), np.cos(be), np.sin(th), np.cos(th), np.sin(ga), np.cos(ga)
    sph, sde, cde, som, sep, cep = np.sin(ph), np.sin(de), np.cos(de), np.sin(om), np.sin(ep), np.cos(ep)
    sbt, cbt, spd, cpd = np.sin(be + th), np.cos(be + th), np.sin(ph + de), np.cos(ph + de)
    soe, coe = np.sin(om + ep), np.cos(om + ep)
    k = np.zeros((13, 13))
    k[0, 0] = m1 * ra**2 + m2 * (rr**2 - 2 * da * rr * cth + da**2) + i1 + i2
    k[0, 1] = k[1, 0] = m2 * (da**2 - da * rr * cth) + i2
    k[1, 1] = m2 * da**2 + i2
    k[2, 2] = m3 * (sa**2 + sb**2) + i3
    k[3, 3] = m4 * (e - ea)**2 + i4
    k[3, 4] = k[4, 3] = m4 * ((e - ea)**2 + zt * (e - ea) * sph) + i4
    k[4, 4] = m4 * (zt**2 + 2 * zt * (e - ea) * sph + (e - ea)**2) + m5 * (ta**2 + tb**2) + i4 + i5
    k[5, 5] = m6 * (zf - fa)**2 + i6
    k[5, 6] = k[6, 5] = m6 * ((zf - fa)**2 - u * (zf - fa) * som) + i6
    k[6, 6] = m6 * ((zf - fa)**2 - 2 * u * (zf - fa) * som + u**2) + m7 * (ua**2 + ub**2) + i6 + i7
    g = np.zeros((6, 7))
    g[:, 0] = [-rr * sbe + d * sbt, rr * cbe - d * cbt] * 3
    g[:, 1] = [d * sbt, -d * cbt] * 3
    g[0, 2], g[1, 2] = -ss * cga, -ss * sga
    g[2, 3], g[3, 3] = -e * cpd, -e * spd
    g[2, 4], g[3, 4] = -e * cpd + zt * sde, -e * spd - zt * cde
    g[4, 5], g[5, 5] = zf * soe, -zf * coe
    g[4, 6], g[5, 6] = zf * soe - u * cep, -zf * coe - u * sep
    k[7:, :7], k[:7, 7:] = g, g.T
    xd, yd = sd * cga + sc * sga + xb, sd * sga - sc * cga + yb
    length = np.hypot(xd - xc, yd - yc)
    f = -c0 * (length - l0) / length
    r = np.zeros(13)
    r[0] = mom - m2 * da * rr * tp * (tp + 2 * bp) * sth
    r[1] = m2 * da * rr * bp**2 * sth
    r[2] = f * (xd - xc) * (sc * cga - sd * sga) + f * (yd - yc) * (sd * cga + sc * sga)
    r[3] = m4 * zt * (e - ea) * dp**2 * np.cos(ph)
    r[4] = -m4 * zt * (e - ea) * pp * (pp + 2 * dp) * np.cos(ph)
    r[5] = -m6 * u * (zf - fa) * qp**2 * np.cos(om)
    r[6] = m6 * u * (zf - fa) * op * (op + 2 * qp) * np.cos(om)
    x0, y0 = -rr * cbe * bp**2 + d * cbt * (bp + tp)**2, -rr * sbe * bp**2 + d * sbt * (bp + tp)**2
    r[7], r[8] = -(x0 + ss * sga * gp**2), -(y0 - ss * cga * gp**2)
    r[9] = -(x0 + e * spd * (pp + dp)**2 + zt * cde * dp**2)
    r[10] = -(y0 - e * cpd * (pp + dp)**2 + zt * sde * dp**2)
    r[11] = -(x0 + zf * coe * (op + qp)**2 + u * sep * qp**2)
    r[12] = -(y0 + zf * soe * (op + qp)**2 - u * cep * qp**2)
    return np.concatenate([y[7:], np.linalg.solve(k, r)[:7]])


for method in ["DOP853", "Radau"]:
    for tolerance in [1e-6, 1e-8, 1e-10]:
        best = np.inf
        for _ in range(3):
            start = time.perf_counter()
            found = solve_ivp(rate, (0, 0.03), START + [0.0] * 7, method=method, rtol=tolerance,
                              atol=tolerance)
            best = min(best, time.perf_counter() - start)
        print(f"{method:7} {tolerance:.0e}  error {abs(found.y[0, -1] - EXACT):.1e}  {best:.3f} s  "
              f"{found.nfev} evaluations")
